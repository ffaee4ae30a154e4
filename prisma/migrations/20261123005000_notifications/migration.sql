-- What people may want to be told of. An event is planned once: then every channel that it goes to has it in
-- notification_pending, and later in a notification.
CREATE TABLE "notifiable_event" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "cluster" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "object_kind" TEXT,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "sentence" TEXT NOT NULL,
    "facts" JSONB NOT NULL DEFAULT '[]',
    "path" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "queued_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "planned_at" TIMESTAMPTZ(6),
    CONSTRAINT "notifiable_event_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notifiable_event_severity" CHECK ("severity" IN ('info', 'warning', 'critical'))
);
CREATE INDEX "notifiable_event_queued_at_idx" ON "notifiable_event"("queued_at");
CREATE INDEX "notifiable_event_planned_at_idx" ON "notifiable_event"("planned_at");
-- What is still to be planned. Exists only in SQL: Prisma cannot express it.
CREATE INDEX "notifiable_event_unplanned" ON "notifiable_event"("seq") WHERE "planned_at" IS NULL;

-- What a channel is still to be told, until it becomes part of a message. The event is copied, so that deleting old
-- events loses nothing.
CREATE TABLE "notification_pending" (
    "event_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "channel_type" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "routes" JSONB NOT NULL DEFAULT '[]',
    "event" JSONB NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "notification_pending_pkey" PRIMARY KEY ("event_id", "channel")
);
CREATE INDEX "notification_pending_channel_seq_idx" ON "notification_pending"("channel", "seq");

-- One message to one channel, with the events that it is about. It changes no more once it is made: a repeat carries
-- the same id and the same content.
CREATE TABLE "notification" (
    "id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "channel_type" TEXT NOT NULL,
    "shape" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "routes" JSONB NOT NULL DEFAULT '[]',
    "events" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(6) NOT NULL,
    "give_up_at" TIMESTAMPTZ(6) NOT NULL,
    "last_attempt_at" TIMESTAMPTZ(6),
    "last_error" TEXT,
    "sent_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),
    CONSTRAINT "notification_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notification_shape" CHECK ("shape" IN ('single', 'group', 'digest', 'test')),
    CONSTRAINT "notification_state" CHECK ("state" IN ('queued', 'sending', 'sent', 'failed', 'suppressed')),
    CONSTRAINT "notification_sent" CHECK (("state" = 'sent') = ("sent_at" IS NOT NULL)),
    CONSTRAINT "notification_ended" CHECK (("state" IN ('sent', 'failed', 'suppressed')) = ("ended_at" IS NOT NULL))
);
CREATE INDEX "notification_created_at_id_idx" ON "notification"("created_at" DESC, "id");
CREATE INDEX "notification_channel_created_at_id_idx" ON "notification"("channel", "created_at" DESC, "id");
CREATE INDEX "notification_ended_at_idx" ON "notification"("ended_at");
-- What is still to be sent. Exists only in SQL: Prisma cannot express it.
CREATE INDEX "notification_due" ON "notification"("channel", "next_attempt_at") WHERE "state" IN ('queued', 'sending');

-- How far the audit log was turned into events, and since when there are notifications at all.
CREATE TABLE "notification_place" (
    "name" TEXT NOT NULL,
    "begins_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "audit_seq" BIGINT NOT NULL,
    CONSTRAINT "notification_place_pkey" PRIMARY KEY ("name")
);

-- What rollouts began to wait for. Written with the rollout itself, so that a wait that is over before anybody looks is
-- not lost; a row is deleted with the event that is made from it.
CREATE TABLE "attention_change" (
    "id" BIGSERIAL NOT NULL,
    "rollout_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "severity" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "step" INTEGER,
    "step_count" INTEGER NOT NULL,
    "revision" INTEGER,
    "is_first_sight" BOOLEAN NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT "attention_change_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION note_attention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO attention_change (rollout_id, reason, since, severity, message, step, step_count, revision,
    is_first_sight)
  VALUES (NEW.id, NEW.attention_reason, NEW.attention_since, NEW.attention_severity, NEW.message, NEW.step,
    NEW.step_count, NEW.revision, TG_OP = 'INSERT');
  RETURN NULL;
END $$;
CREATE TRIGGER rollout_attention_begins AFTER INSERT ON "rollout" FOR EACH ROW
  -- Findings are told of as findings.
  WHEN (NEW.attention_reason <> 'finding' AND NEW.attention_since IS NOT NULL AND NEW.attention_severity IS NOT NULL)
  EXECUTE FUNCTION note_attention();
CREATE TRIGGER rollout_attention_changes AFTER UPDATE ON "rollout" FOR EACH ROW
  -- Findings are told of as findings.
  WHEN (NEW.attention_reason <> 'finding' AND NEW.attention_since IS NOT NULL AND NEW.attention_severity IS NOT NULL
    AND ((NEW.attention_reason, NEW.attention_since) IS DISTINCT FROM (OLD.attention_reason, OLD.attention_since)
      OR (NEW.attention_severity = 'critical' AND OLD.attention_severity IS DISTINCT FROM 'critical')))
  EXECUTE FUNCTION note_attention();

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_recorder') THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON "notifiable_event", "notification_pending", "notification"
      TO gatehouse_recorder;
    -- UPDATE is needed to lock a row.
    GRANT SELECT, INSERT, UPDATE, DELETE ON "attention_change" TO gatehouse_recorder;
    GRANT SELECT, INSERT, UPDATE ON "notification_place" TO gatehouse_recorder;
    GRANT USAGE ON SEQUENCE "notifiable_event_seq_seq", "attention_change_id_seq" TO gatehouse_recorder;
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_web') THEN
    GRANT SELECT ON "notifiable_event", "notification_pending" TO gatehouse_web;
    -- A test message, and another try for a failed one. The web process sends nothing.
    GRANT SELECT, INSERT ON "notification" TO gatehouse_web;
    GRANT UPDATE ("state", "next_attempt_at", "give_up_at", "ended_at") ON "notification" TO gatehouse_web;
  END IF;
END $$;
