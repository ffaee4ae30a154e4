-- A recorder of an older version writes the sentence of an error without its code. As long as one may run beside this
-- schema, the code follows a sentence that was written alone.
CREATE FUNCTION source_error_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."last_error" IS DISTINCT FROM OLD."last_error" AND NEW."error_code" IS NOT DISTINCT FROM OLD."error_code" THEN
    NEW."error_code" := CASE
      WHEN strpos(NEW."last_error", 'another cluster answers under this name (its kube-system namespace has another uid)') > 0
        THEN 'other-cluster'
      WHEN strpos(NEW."last_error", 'the cluster''s versions went backwards (restored from a backup, or another cluster): give it another name in the config') > 0
        THEN 'versions-backwards'
    END;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER source_error_code BEFORE UPDATE OF "last_error" ON "source"
  FOR EACH ROW EXECUTE FUNCTION source_error_code();
