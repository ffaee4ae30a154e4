-- A rollout that waits for nothing else, and has a critical finding that nobody acknowledged, waits for that: in every
-- list, count and stream alike. The recorder writes what the rollout itself waits for, and never this.
CREATE FUNCTION attend_finding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.worst_finding = 'critical' AND NEW.presence = 'live' THEN
    NEW.attention_reason := 'finding';
    NEW.attention_since := NEW.worst_finding_since;
    NEW.attention_severity := 'critical';
  ELSE
    NEW.attention_reason := NULL;
    NEW.attention_since := NULL;
    NEW.attention_severity := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rollout_attends_finding BEFORE INSERT OR UPDATE ON "rollout" FOR EACH ROW
  WHEN ((NEW.attention_reason IS NULL AND NEW.worst_finding = 'critical')
    OR (NEW.attention_reason = 'finding' AND NEW.attention_severity = 'critical'))
  EXECUTE FUNCTION attend_finding();
