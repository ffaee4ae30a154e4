-- What an approval lets pass. Approvals from before named no pause, and let none pass.
ALTER TABLE "approval" ADD COLUMN "passes_pauses" INTEGER[] DEFAULT '{}';
