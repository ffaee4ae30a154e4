-- What version an approval is about. Approvals from before name none, and cover no start of a canary.
ALTER TABLE "approval" ADD COLUMN "target_version" TEXT;
