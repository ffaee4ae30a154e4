import { Fragment } from "react";
import { emphasise } from "#components/ui/emphasise.ts";
import type { AuditItem } from "#lib/contract/audit.ts";

type AuditSentenceProps = { item: AuditItem; hasReason?: boolean };

/** Shows the sentence of an entry, with who and what in bold and the reason set apart. */
export function AuditSentence({ item, hasReason = true }: AuditSentenceProps) {
  const { sentence, target, reason } = item;
  const name =
    target?.name === undefined
      ? undefined
      : target.namespace === undefined
        ? target.name
        : `${target.namespace}/${target.name}`;
  const parts = emphasise(sentence, [whoOf(item), name, name === undefined ? undefined : target?.name]);
  const needsReason = hasReason && reason !== undefined && reason !== "" && !hidesReason(item);
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

/** Returns whether the sentence happens to contain the text of the reason, as of "abort": it is not set apart then. */
function hidesReason({ sentence, reason }: Pick<AuditItem, "sentence" | "reason">): boolean {
  return reason !== undefined && reason !== "" && sentence.includes(reason);
}

/** Returns who is named: of a change whose person a later entry names, that person. */
function whoOf({ actor, attributedBy, parts }: AuditItem): string {
  const named = attributedBy === null ? undefined : parts?.[0]?.text.split(",")[0];
  return named ?? actor.name;
}
