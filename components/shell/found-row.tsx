import { Highlight } from "@mantine/core";
import type { FoundRow as Row } from "#components/shell/group-found.ts";
import classes from "#components/shell/palette.module.css";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";

type FoundRowProps = { row: Row; terms: string[]; icon: React.ReactNode };

/** Shows one search result: its state, its name with the matches in bold, its place and its time. */
export function FoundRow({ row: { label, detail, message = "", shown, at }, terms, icon }: FoundRowProps) {
  return (
    <span className={classes.row}>
      <span className={classes.icon}>
        {shown === undefined ? (
          icon
        ) : (
          <>
            <StateIcon state={shown.state} />
            <span className="visually-hidden">{shown.word}: </span>
          </>
        )}
      </span>
      <span>
        <Highlight component="span" className={classes.label} highlight={terms} highlightStyles={matched} title={label}>
          {label}
        </Highlight>
        <Highlight component="bdi" className={classes.detail} highlight={terms} highlightStyles={matched}>
          {formatDetail({ shown, detail, message }, terms)}
        </Highlight>
      </span>
      <span className={classes.time}>
        <RelativeTime at={at} />
      </span>
    </span>
  );
}

/** A message with a match comes first: the end of the line may be cut. */
function formatDetail({ shown, detail, message }: Pick<Row, "shown" | "detail" | "message">, terms: string[]): string {
  const text = message?.toLowerCase() ?? "";
  const hasMatch = terms.some((term) => term !== "" && text.includes(term.toLowerCase()));
  const parts = [shown?.word, ...(hasMatch ? [message, detail] : [detail, message])];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}

const matched = { background: "none", color: "inherit", fontWeight: 700 };
