import { Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import classes from "#components/templates/lab.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import type { TemplateProblem } from "#lib/contract/template-lab.ts";

type LabProblemsProps = {
  problems: readonly TemplateProblem[];
  more: number;
  onGoTo: (position: TemplateProblem["from"]) => void;
};

/** Lists the problems in the order of the text; each leads to its place. */
export function LabProblems({ problems, more, onGoTo }: LabProblemsProps) {
  if (problems.length === 0) {
    return (
      <Text size="sm" role="status" className={classes.problemLine}>
        <IconCircleCheck size={16} aria-hidden="true" color="var(--gh-green-mark)" /> No problems found.
      </Text>
    );
  }
  return (
    <ul className={classes.problems} aria-label="Problems">
      {problems.map(({ severity, text, from }) => (
        <li key={`${from.line}:${from.column} ${text}`}>
          <button type="button" className={classes.problem} onClick={() => onGoTo(from)}>
            {severity === "error" ? (
              <IconCircleX size={16} aria-hidden="true" color="var(--gh-red-mark)" />
            ) : (
              <IconAlertTriangle size={16} aria-hidden="true" color="var(--gh-amber-mark)" />
            )}
            <span>
              <Text span size="xs" c="dimmed">
                {severity === "error" ? "Error" : "Warning"}, line {from.line}:{" "}
              </Text>
              <HostileText text={text} />
            </span>
          </button>
        </li>
      ))}
      {more > 0 && (
        <Text component="li" size="xs" c="dimmed">
          and {more} more
        </Text>
      )}
    </ul>
  );
}
