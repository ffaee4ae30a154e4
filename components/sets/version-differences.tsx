import { Anchor, Button, Skeleton, Text } from "@mantine/core";
import { useState } from "react";
import classes from "#components/sets/sets.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { useVersionDifferences } from "#lib/client/set-queries.ts";
import type { SetDifferences } from "#lib/contract/version-set.ts";
import { formatCount, formatCountOf } from "#lib/util/words.ts";

type Field = SetDifferences["fields"][number];
type Group = Field["groups"][number];

type VersionDifferencesProps = {
  version: string;
  filters: Record<string, string>;
  /** The list comes first: comparing all rollouts takes the server a while. */
  isListed: boolean;
};

/** Says in one line which fields differ between the rollouts of a version, and opens the values. */
export function VersionDifferences({ version, filters, isListed }: VersionDifferencesProps) {
  const query = useVersionDifferences(version, filters, isListed);
  return (
    <section aria-label="What differs" className={classes.metrics}>
      <QueryView what="The differences" query={query} skeleton={<Skeleton height={30} />}>
        {(differences) => <Differences differences={differences} />}
      </QueryView>
    </section>
  );
}

function Differences({
  differences: { total, compared, fields, moreFields, notCompared },
}: {
  differences: SetDifferences;
}) {
  const [isOpen, setOpen] = useState(false);
  if (total < 2) return null;
  const among = compared < total ? `Of ${formatCount(total)} members, the first ${formatCount(compared)}: ` : "";
  const were = notCompared === 1 ? "was" : "were";
  const beyond = notCompared === 0 ? "" : `${formatCountOf(notCompared, "field")} ${were} not compared: too many.`;
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {among}
        {beyond === ""
          ? "All members have the same image, analysis templates, arguments and steps."
          : `${beyond} No other field differs.`}
      </Text>
    );
  const more = moreFields === 0 ? "" : `${formatCount(moreFields)} more differ${moreFields === 1 ? "s" : ""}.`;
  return (
    <>
      <div className={classes.metricHead}>
        <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide what differs" : "What differs"}
        </Button>
        <Text size="sm" lineClamp={1}>
          {among}
          <HostileText text={fields.map(nameField).join("; ")} />
        </Text>
        {/* Apart from the names, which are cut to a line. */}
        {(more !== "" || beyond !== "") && (
          <Text size="sm" c="dimmed">
            {[more, beyond].filter((each) => each !== "").join(" ")}
          </Text>
        )}
      </div>
      {isOpen && (
        <dl className={classes.differences}>
          {fields.map((field) => (
            <div key={`${field.kind} ${field.name}`}>
              <dt>
                <HostileText text={nameField(field)} />
              </dt>
              {field.groups.map((group) => (
                <dd key={`${group.state} ${group.value}`}>
                  <GroupLine group={group} kind={field.kind} />
                </dd>
              ))}
              {field.moreGroups > 0 && <dd>and {formatCountOf(field.moreGroups, "further value")}</dd>}
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function nameField({ kind, name }: Field): string {
  return name === null ? kind : `${kind} ${name}`;
}

const noneWords: Record<Field["kind"], string> = {
  image: "none",
  steps: "none",
  template: "not used",
  argument: "not set",
};

function GroupLine({ group, kind }: { group: Group; kind: Field["kind"] }) {
  const { state, value, count, isMost, rollouts } = group;
  const hidden = count - rollouts.length;
  return (
    <>
      {state === "value" ? (
        <HostileText text={value || "empty"} />
      ) : state === "none" ? (
        noneWords[kind]
      ) : (
        "not recorded"
      )}
      {": "}
      {isMost && `most (${formatCount(count)})`}
      {rollouts.map((rollout, index) => (
        <span key={rolloutHref(rollout)}>
          {index > 0 && ", "}
          <Anchor component={HoverLink} href={rolloutHref(rollout)} inherit>
            {rollout.cluster} / {rollout.namespace}/{rollout.name}
          </Anchor>
        </span>
      ))}
      {!isMost && hidden > 0 && ` and ${formatCount(hidden)} more`}
    </>
  );
}
