-- A terminal that asks to be signed in by a person in a browser (RFC 8628).
CREATE TABLE "device_request" (
    "id" UUID NOT NULL,
    "device_code_hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "device_name" TEXT NOT NULL,
    "address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "interval_seconds" INTEGER NOT NULL DEFAULT 5,
    "polled_at" TIMESTAMPTZ(6),
    "state" TEXT NOT NULL DEFAULT 'pending',
    "decided_at" TIMESTAMPTZ(6),
    "owner_id" UUID,
    "username" TEXT,
    "groups" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "role" TEXT,
    "expires_in_days" INTEGER,
    CONSTRAINT "device_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "device_request_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "device_request_device_code_hash_key" ON "device_request"("device_code_hash");
CREATE UNIQUE INDEX "device_request_user_code_hash_key" ON "device_request"("user_code_hash");
CREATE INDEX "device_request_owner_id_idx" ON "device_request"("owner_id");
CREATE INDEX "device_request_expires_at_idx" ON "device_request"("expires_at");

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT, INSERT, DELETE ON "device_request" TO gatehouse_web;
    GRANT UPDATE ("interval_seconds", "polled_at", "state", "decided_at", "owner_id", "username", "groups", "role",
      "expires_in_days") ON "device_request" TO gatehouse_web;
  END IF;
END $$;
