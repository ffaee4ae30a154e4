-- Names by which people are known, beside the display names that they can choose. Null for rows from before.
ALTER TABLE "action" ADD COLUMN "actor_username" TEXT;
ALTER TABLE "approval" ADD COLUMN "requested_username" TEXT;
ALTER TABLE "approval" ADD COLUMN "decided_username" TEXT;
-- With issuer, subject and name: whose rights are asked again when the approval is used.
ALTER TABLE "approval" ADD COLUMN "decided_groups" TEXT[];
-- Rights that the action asks for besides, such as unpause where a pause in the spec is lifted with it.
ALTER TABLE "approval" ADD COLUMN "also_actions" TEXT[] DEFAULT '{}';

-- A token that a role binding has named, or that was created so: without a binding that names it, it has no rights.
-- Those that the config names are marked when it is loaded; what was named before and is not any more is not known.
ALTER TABLE "api_token" ADD COLUMN "restricted" BOOLEAN NOT NULL DEFAULT false;
