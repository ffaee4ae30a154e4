import { Fragment } from "react";
import { emphasise } from "#components/ui/emphasise.ts";
import type { AuditItem } from "#lib/contract/audit.ts";

/** Shows the sentence of an entry, with who and what in bold and the reason set apart. */
export function AuditSentence({ item: { sentence, actor, target, reason } }: { item: AuditItem }) {
  const name =
    target?.name === undefined
      ? undefined
      : target.namespace === undefined
        ? target.name
        : `${target.namespace}/${target.name}`;
  const parts = emphasise(sentence, [actor.name, name, name === undefined ? undefined : target?.name]);
  const needsReason = reason !== undefined && reason !== "" && !sentence.includes(reason);
  return (
    <>
      {parts.map(({ text, isStrong, at }) =>
        isStrong ? <strong key={at}>{text}</strong> : <Fragment key={at}>{text}</Fragment>,
      )}
      {needsReason && (
        <>
          {" · "}
          <em>{reason}</em>
        </>
      )}
    </>
  );
}
