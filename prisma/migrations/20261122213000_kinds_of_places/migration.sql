-- The kind of the rollout that a change or an audit entry is about: a scope may name one, such as "Canary/shop-*".
-- Rows from before have none. Scopes that name a kind did not exist then, and do not reach these rows.
ALTER TABLE "change_log" ADD COLUMN "object_kind" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "kind" TEXT;
