-- A measurement that the controller took again: another row of the same seq counts in its place.
ALTER TABLE "measurement" ADD COLUMN "superseded" BOOLEAN NOT NULL DEFAULT false;
