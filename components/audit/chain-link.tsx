import { Anchor, Code, DataList, Title } from "@mantine/core";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { Fact } from "#components/ui/fact.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AuditDetail } from "#lib/contract/audit.ts";

/** Shows the entry's position in the chain, and whether its own link is valid. */
export function ChainLink({ entry }: { entry: AuditDetail }) {
  const { seq, previousHash, entryHash, hash, linkOk, evidenceDigest } = entry;
  return (
    <section aria-labelledby="chain">
      <Title order={2} id="chain" mb="xs">
        Chain link
      </Title>
      <p className={classes.check}>
        <StateIcon state={linkOk ? "successful" : "failed"} />{" "}
        {linkOk
          ? "The hashes match the text below and the previous entry."
          : "The hashes do not match the text: this entry was changed after it was written."}
      </p>
      <DataList gap="xs" labelWidth="8rem" className={classes.facts}>
        <Fact label="Entry">
          {seq}
          {seq > 1 && (
            <>
              , after{" "}
              <Anchor component={Link} href={auditHref(seq - 1)} inherit>
                {seq - 1}
              </Anchor>
            </>
          )}
        </Fact>
        <Fact label="Previous hash">
          <code className={classes.hash}>{previousHash}</code>
        </Fact>
        <Fact label="Entry hash">
          <code className={classes.hash}>{entryHash}</code>
        </Fact>
        <Fact label="Hash">
          <code className={classes.hash}>{hash}</code>
        </Fact>
        {evidenceDigest !== undefined && (
          <Fact label="Evidence">
            <code className={classes.hash}>{evidenceDigest}</code>
          </Fact>
        )}
      </DataList>
      <Code block tabIndex={0} className={classes.code} mt="sm">
        {entry.entry}
      </Code>
    </section>
  );
}
