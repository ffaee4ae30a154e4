-- The web process changes columns, not rows: who asked for what, whose token it is and its hash stay as they were written.
-- These are the columns that 0.2.0 changes too. "issuer" is set to itself by its `token create`: take it from this list
-- once 0.2.0 is no longer served.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    REVOKE UPDATE ON "action", "approval", "user_account", "api_token" FROM gatehouse_web;
    GRANT UPDATE ("state", "message", "plan", "idempotency_key", "intent_seq", "outcome_seq", "applied_at", "effective_at",
      "deadline_at", "watch_until", "look_at", "effect_why") ON "action" TO gatehouse_web;
    GRANT UPDATE ("decision", "decided_by", "decided_by_name", "decided_username", "decided_groups", "decided_at",
      "decision_reason", "action_id") ON "approval" TO gatehouse_web;
    GRANT UPDATE ("name", "email", "last_seen_at", "issuer") ON "user_account" TO gatehouse_web;
    GRANT UPDATE ("last_used_at", "revoked_at", "restricted") ON "api_token" TO gatehouse_web;
  END IF;
END $$;
