"use client";

import { Anchor, Paper, Skeleton, Text, TextInput } from "@mantine/core";
import Link from "next/link";
import classes from "#components/admin/admin.module.css";
import { ConfigPath } from "#components/admin/admin-frame.tsx";
import { BindingTable } from "#components/admin/binding-table.tsx";
import { describeWhoMay, parseWhoMay, type WhoMayQuestion } from "#components/admin/parse-who-may.ts";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useWhoMay } from "#lib/client/admin-queries.ts";
import type { AdminAccess, WhoMay } from "#lib/contract/admin-access.ts";
import { formatCountOf, formatList } from "#lib/util/words.ts";
import { formatQuery } from "#packages/client/src/send.ts";

/** Answers who may carry out an action at a place, from one line such as "abort in payments". */
export function WhoMaySection({ access }: { access: AdminAccess }) {
  const { values, applied, set } = useFilters(["may"]);
  const question = parseWhoMay(applied.may, access.clusters);
  const answer = useWhoMay(question);
  return (
    <Section id="who-may" title="Who may…">
      <Paper withBorder className={classes.panel}>
        <TextInput
          aria-labelledby="who-may"
          placeholder="abort in payments"
          description="An action, then a namespace, namespace/rollout, or cluster/namespace/rollout."
          error={applied.may !== "" && question === undefined && "Begin with an action, such as abort in payments."}
          maxLength={400}
          autoComplete="off"
          value={values.may}
          onChange={(event) => set("may")(event.currentTarget.value || null)}
        />
        {question !== undefined && (
          <div className={classes.answer} aria-live="polite">
            <QueryView
              what="The answer"
              query={{
                data: answer.isPlaceholderData ? undefined : answer.data,
                error: answer.error,
                refetch: answer.refetch,
              }}
              skeleton={<Skeleton height={120} aria-hidden="true" />}
            >
              {(data) => <Answer answer={data} question={question} access={access} />}
            </QueryView>
          </div>
        )}
      </Paper>
    </Section>
  );
}

type AnswerProps = { answer: WhoMay; question: WhoMayQuestion; access: AdminAccess };

function Answer({ answer: { subjects, allKnown, bindings, secondPerson }, question, access }: AnswerProps) {
  const granting = new Set(bindings.map(({ path }) => path));
  const shown = access.bindings.filter(({ path }) => granting.has(path));
  return (
    <>
      <Text size="sm">
        <strong>{countSubjects(subjects)}</strong> may {describeWhoMay(question)}.
        {!allKnown && " Only the 1,000 people and tokens seen last were checked."}
      </Text>
      {secondPerson.map(({ path, name }) => (
        <Text key={path} size="sm" c="dimmed">
          Another person's approval may be required by rule "{name}": <ConfigPath path={path} />
        </Text>
      ))}
      <ul className={classes.subjects}>
        {subjects.map((subject) => (
          <Subject key={`${subject.kind} ${subject.username} ${subject.token}`} subject={subject} question={question} />
        ))}
      </ul>
      {shown.length > 0 && (
        <>
          <Text size="sm" mt="sm" mb={4}>
            {access.demo ? "For robots and tokens: " : ""}granted by {formatCountOf(shown.length, "role binding")}
          </Text>
          <BindingTable bindings={shown} labelledBy="who-may" />
        </>
      )}
    </>
  );
}

function Subject({
  subject: { kind, name, username, token, extent, lastSeenAt },
  question: { cluster, namespace },
}: {
  subject: WhoMay["subjects"][number];
  question: WhoMayQuestion;
}) {
  const who = kind === "person" ? {} : { who: kind };
  const place = cluster === undefined || namespace === undefined ? {} : { cluster, namespace };
  const query = token === null ? { ...who, username, ...place } : { who: "token", token, ...place };
  return (
    <li>
      <strong>
        <bdi>{name}</bdi>
      </strong>{" "}
      <Text span size="sm" c="dimmed">
        {kind === "token" ? (
          <>
            token of <bdi>{username}</bdi>
          </>
        ) : (
          <>
            {kind === "robot" && "robot "}
            {name !== username && <bdi>{username}</bdi>}
          </>
        )}
        {extent === "some" && " · in part"}
        {lastSeenAt !== null && (
          <>
            {" "}
            · seen <RelativeTime at={lastSeenAt} />
          </>
        )}
      </Text>{" "}
      <Anchor component={Link} size="sm" href={`/admin${formatQuery(query)}#may`} aria-label={`Why may ${name}?`}>
        Why
      </Anchor>
    </li>
  );
}

function countSubjects(subjects: WhoMay["subjects"]): string {
  const counts = (["person", "robot", "token"] as const).flatMap((kind) => {
    const count = subjects.filter((subject) => subject.kind === kind).length;
    return count === 0 ? [] : [kind === "person" && count > 1 ? `${count} people` : formatCountOf(count, kind)];
  });
  return counts.length === 0 ? "No one seen so far" : formatList(counts);
}
