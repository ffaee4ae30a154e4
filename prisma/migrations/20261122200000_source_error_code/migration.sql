-- What a source's error means for acting was found in its text so far.
ALTER TABLE "source" ADD COLUMN "error_code" TEXT;

UPDATE "source" SET "error_code" = CASE
    WHEN strpos("last_error", 'another cluster answers under this name (its kube-system namespace has another uid)') > 0
      THEN 'other-cluster'
    WHEN strpos("last_error", 'the cluster''s versions went backwards (restored from a backup, or another cluster): give it another name in the config') > 0
      THEN 'versions-backwards'
  END
 WHERE "last_error" IS NOT NULL;
