-- When the person last proved who they are (null: the provider did not say), and from where the session was opened.
ALTER TABLE "user_session" ADD COLUMN "authenticated_at" TIMESTAMPTZ(6), ADD COLUMN "user_agent" TEXT, ADD COLUMN "address" TEXT;
