-- An acknowledgement ends with the wait that it was given for: the same state that comes again later is another one.
ALTER TABLE "acknowledgement" ADD COLUMN "attention_since" TIMESTAMPTZ(6);
