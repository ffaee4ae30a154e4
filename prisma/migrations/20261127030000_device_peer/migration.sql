-- The address of the connection that a terminal asked over; "address" is what a trusted proxy says.
ALTER TABLE "device_request" ADD COLUMN "peer" TEXT;
