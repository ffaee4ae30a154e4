-- Every token has its owner, from now on by a constraint. Only somebody who deleted an account by hand has others: such
-- tokens were neither accepted nor listed.
DELETE FROM "api_token" t WHERE NOT EXISTS (SELECT FROM "user_account" u WHERE u."id" = t."owner_id");
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_owner_id_fkey"
  FOREIGN KEY ("owner_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
