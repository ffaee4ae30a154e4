import { Table, Text } from "@mantine/core";
import classes from "#components/admin/admin.module.css";
import { ConfigPath } from "#components/admin/admin-frame.tsx";
import { IconCircleCheck, IconFlame, IconForbid, IconUsers } from "#components/ui/icons.tsx";
import { TableHead } from "#components/ui/table-parts.tsx";
import type {
  ActionPermission,
  PermissionAnswer,
  PermissionReason,
  PermissionVerdict,
} from "#lib/contract/admin-access.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";

/** Shows the subject of the question, where their rights come from, and their permissions at the place. */
export function PermissionResult({ answer }: { answer: PermissionAnswer }) {
  const { place, reads } = answer;
  return (
    <>
      <Subject answer={answer} />
      {place === null ? (
        <Grants answer={answer} />
      ) : (
        <>
          <Text size="sm" mt="sm" mb={4}>
            {reads?.verdict === "yes" ? "May see " : "May not see "}
            <strong>
              <bdi>{describePlace(place)}</bdi>
            </strong>
            {place.access === "read" && ", which Gatehouse only reads (access: read)"}
            {place.access === "unnamed" && ", whose cluster the config no longer names"}.
          </Text>
          <Verdicts groups={groupPermissions(answer.actions)} />
        </>
      )}
    </>
  );
}

function describePlace({ cluster, namespace, kind, name }: NonNullable<PermissionAnswer["place"]>): string {
  return name === null
    ? `every rollout of namespace ${namespace} in ${cluster}`
    : `${kind} ${namespace}/${name} in ${cluster}`;
}

const groupsFrom = {
  question: "as asked",
  session: "as of their last sign-in",
  token: "as of their token",
  none: "none known",
} as const;

function Subject({ answer: { subject, role, identity } }: { answer: PermissionAnswer }) {
  const { kind, username, name, groups, seen } = subject;
  return (
    <>
      <Text size="sm">
        <strong>
          <bdi>{kind === "token" ? name : username}</bdi>
        </strong>{" "}
        {role === null
          ? "has no role: no binding matches, so they may not sign in."
          : `is ${role} in at least one scope.`}
        {!seen && " Gatehouse has not seen them yet."}
      </Text>
      <Text size="sm" c="dimmed">
        Groups ({groupsFrom[subject.groupsFrom]}): <bdi>{groups.length === 0 ? "none" : groups.join(", ")}</bdi>
        {identity !== null && <Identity identity={identity} />}
      </Text>
    </>
  );
}

function Identity({ identity }: { identity: NonNullable<PermissionAnswer["identity"]> }) {
  const { mode, username, groups, problem } = identity;
  if (problem !== null) return <> · At the cluster: {problem}</>;
  if (mode === "serviceAccount") return <> · At the cluster: Gatehouse's own account acts.</>;
  if (mode === "groups")
    return (
      <>
        {" "}
        · At the cluster: the rights of <bdi>{groups.length === 0 ? "no group" : groups.join(", ")}</bdi>, logged as{" "}
        <bdi>{username}</bdi>
      </>
    );
  return (
    <>
      {" "}
      · At the cluster: <bdi>{username}</bdi>
      {groups.length > 0 && (
        <>
          {" "}
          (<bdi>{groups.join(", ")}</bdi>)
        </>
      )}
    </>
  );
}

function Grants({ answer: { grants } }: { answer: PermissionAnswer }) {
  if (grants.length === 0) return null;
  return (
    <ul className={classes.reasons}>
      {grants.map(({ path, role, scope, through }) => (
        <li key={`${path} ${through}`}>
          {through === "token" ? "limited to " : ""}
          <strong>{role}</strong> {describeScope(scope)} {path === null ? "(demo account)" : <ConfigPath path={path} />}
        </li>
      ))}
    </ul>
  );
}

const columns = [{ header: "Answer", width: "22%" }, { header: "Actions", width: "34%" }, { header: "Why" }];

function Verdicts({ groups }: { groups: readonly PermissionGroup[] }) {
  return (
    <Table className={classes.verdicts} aria-label="Allowed actions">
      <TableHead columns={columns} />
      <Table.Tbody>
        {groups.map((group) => (
          <Table.Tr key={JSON.stringify(group)} data-row>
            <Table.Th scope="row">
              <Verdict verdict={group.verdict} />
              {group.needsReason && group.verdict !== "no" && (
                <Text size="xs" c="dimmed" fw={400}>
                  with a reason
                </Text>
              )}
            </Table.Th>
            <Table.Td>
              <Actions group={group} />
            </Table.Td>
            <Table.Td>
              <Reasons reasons={group.because} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const icons = {
  yes: IconCircleCheck,
  approval: IconUsers,
  "break-glass": IconFlame,
  "break-glass-and-approval": IconFlame,
  no: IconForbid,
} as const satisfies Record<PermissionVerdict, typeof IconForbid>;

function Verdict({ verdict }: { verdict: PermissionVerdict }) {
  const Icon = icons[verdict];
  return (
    <span className={classes.verdict} data-verdict={verdict}>
      <Icon size={16} aria-hidden="true" /> {verdictWords[verdict]}
    </span>
  );
}

function Actions({ group: { verdict, actions } }: { group: PermissionGroup }) {
  const later = verdict === "no" ? [] : actions.filter(({ notNow }) => notNow !== null);
  return (
    <>
      {actions.map(({ label }) => label).join(", ")}
      {later.length > 0 && (
        <details className={classes.later}>
          <summary>
            {later.length === actions.length ? "None of them" : `${later.length} of them not`} in its present state
          </summary>
          <ul className={classes.reasons}>
            {later.map(({ label, notNow }) => (
              <li key={label}>
                {label}: <bdi>{notNow}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Reasons({ reasons }: { reasons: readonly PermissionReason[] }) {
  if (reasons.length === 0) return <>No binding names them.</>;
  return (
    <ul className={classes.reasons}>
      {reasons.map(({ kind, text, path }) => (
        <li key={`${kind} ${path} ${text}`} data-kind={kind}>
          {path !== null && (
            <>
              <ConfigPath path={path} />{" "}
            </>
          )}
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Actions with the same answer for the same reasons. */
type PermissionGroup = Pick<ActionPermission, "verdict" | "because" | "needsReason"> & {
  actions: { label: string; notNow: string | null }[];
};

const order: readonly PermissionVerdict[] = ["yes", "approval", "break-glass", "break-glass-and-approval", "no"];

const verdictWords = {
  yes: "Yes",
  approval: "With approval",
  "break-glass": "Break-glass only",
  "break-glass-and-approval": "Break-glass and approval",
  no: "No",
} as const satisfies Record<PermissionVerdict, string>;

/** Groups actions with the same answer and the same reasons, allowed ones first. */
export function groupPermissions(actions: readonly ActionPermission[]): PermissionGroup[] {
  const keyOf = ({ verdict, because, needsReason }: ActionPermission) =>
    JSON.stringify([verdict, verdict === "no" ? null : needsReason, because]);
  return [...Map.groupBy(actions, keyOf).values()]
    .map((group) => ({
      verdict: group[0]?.verdict ?? "no",
      because: group[0]?.because ?? [],
      needsReason: group[0]?.needsReason ?? false,
      actions: group.map(({ label, notNow }) => ({ label, notNow })),
    }))
    .toSorted((left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict));
}
