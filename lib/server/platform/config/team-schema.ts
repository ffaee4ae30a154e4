import { z } from "zod";
import { isOfReleases, type NotificationConfig } from "./notification-schema.ts";
import { scopeFields } from "./policy-schema.ts";

const LabelName = z
  .string()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/,
    "is not the name of a label or an annotation, such as team or example.com/team",
  );

/** What is recorded of rollouts besides their state. */
export const RecordingConfig = z.strictObject({
  /** Names of labels and annotations of rollouts. */
  labels: z.array(LabelName).max(20, "name at most 20").default([]),
  /** The one of them that says in which wave a rollout receives a version. */
  waveLabel: LabelName.optional(),
});
export type RecordingConfig = z.infer<typeof RecordingConfig>;

/** A team: the rollouts that it owns, and its people. It gives no rights. */
export const TeamConfig = z.strictObject({
  name: z.string().trim().min(1, "a team has a name").max(60, "a team's name has at most 60 characters"),
  /** People are in the team by these groups, named as in role bindings. */
  groups: z.array(z.string().min(1, "a name cannot be empty")).default([]),
  ...scopeFields,
  /** Only rollouts with all of these labels. */
  labels: z.record(LabelName, z.string().max(253, "a recorded value has at most 253 characters")).default({}),
  channel: z.string().min(1, "name a channel, or leave it out").optional(),
  onCall: z
    .url({ protocol: /^https$/, error: "must be an https address, such as https://oncall.example.com/shop" })
    .optional(),
});
export type TeamConfig = z.infer<typeof TeamConfig>;

type Named = { teams: readonly TeamConfig[]; recording: RecordingConfig; notifications: NotificationConfig };

/** Lists what teams, routes and waves name and the config does not have. */
export function listTeamFaults({
  teams,
  recording,
  notifications: { channels, routes },
}: Named): { path: (string | number)[]; message: string }[] {
  const names = teams.map(({ name }) => name);
  // Without both, an admin may make channels in the interface.
  const areChannelsKnown = channels.length + routes.length > 0;
  const ofTeams = teams.flatMap(({ name, labels, channel }, index) => [
    ...(names.indexOf(name) === index ? [] : [{ path: ["teams", index, "name"], message: `"${name}" is named twice` }]),
    ...Object.keys(labels)
      .filter((label) => !recording.labels.includes(label))
      .map((label) => ({
        path: ["teams", index, "labels", label],
        message: `"${label}" is not recorded: add it to recording.labels`,
      })),
    ...(channel === undefined || !areChannelsKnown || channels.some((each) => each.name === channel)
      ? []
      : [{ path: ["teams", index, "channel"], message: `no channel is named "${channel}"` }]),
    ...(channels.some((each) => each.name === channel && isOfReleases(each))
      ? [{ path: ["teams", index, "channel"], message: `"${channel}" gets only releases: name another channel` }]
      : []),
  ]);
  const ofRoutes = routes.flatMap(({ team, to }, index) => {
    const path = ["notifications", "routes", index];
    if (team !== undefined && !names.includes(team))
      return [{ path: [...path, "team"], message: `no team is named "${team}"` }];
    if (to !== undefined || teams.some((each) => (team ?? each.name) === each.name && each.channel !== undefined))
      return [];
    const message =
      team === undefined
        ? "name channels in to, or the channel of a team"
        : `name channels in to, or a channel of team "${team}"`;
    return [{ path, message }];
  });
  const { labels: recorded, waveLabel } = recording;
  const ofWaves =
    waveLabel === undefined || recorded.includes(waveLabel)
      ? []
      : [
          {
            path: ["recording", "waveLabel"],
            message: `"${waveLabel}" is not recorded: add it to recording.labels`,
          },
        ];
  return [...ofTeams, ...ofRoutes, ...ofWaves];
}
