import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";

/** The most pods whose logs one answer merges. */
export const maxLogPods = 20;

export const LogContainer = z.object({
  name: z.string(),
  role: z.enum(["container", "init", "sidecar"]),
  state: z.enum(["waiting", "running", "terminated", "unknown"]),
  reason: z.string().describe("Why it waits or ended, such as `CrashLoopBackOff`; may be empty."),
  restarts: z.number().int(),
  startedAt: Timestamp.nullable().describe("Of the current instance."),
  hasPrevious: z.boolean().describe("The instance before the last restart may still have a log."),
});
export type LogContainer = z.infer<typeof LogContainer>;

export const LogPod = z.object({
  name: z.string(),
  uid: z.string(),
  phase: z.string(),
  reason: z.string(),
  createdAt: Timestamp.nullable(),
  containers: z.array(LogContainer).describe("Those that it was made for first, then sidecars and init containers."),
});
export type LogPod = z.infer<typeof LogPod>;

/** The pods of one version, as the cluster has them now. */
export const LogVersion = z.object({
  side: z
    .enum(["new", "stable", "other"])
    .describe("new: the version being rolled out; stable: the version that it is compared with."),
  owner: z.object({ kind: z.enum(["ReplicaSet", "Deployment", "DaemonSet", "Job"]), name: z.string() }),
  revision: z.number().int().nullable(),
  images: z.array(z.string()),
  experiment: z
    .object({ uid: z.string(), name: z.string(), template: z.string() })
    .nullable()
    .describe("The Experiment of the current version that runs it, and its name there; null for the rollout's own."),
  run: z
    .object({ uid: z.string(), name: z.string() })
    .nullable()
    .describe("The analysis run that measured by this Job; null for what runs a version."),
  pods: z.array(LogPod),
  problem: z.string().nullable().describe("Why its pods could not be read, in a sentence."),
});
export type LogVersion = z.infer<typeof LogVersion>;

export const RolloutLogs = z.object({
  versions: z
    .array(LogVersion)
    .describe("The new version first, then those of Experiments, and the Job that was asked for last."),
  readAs: z.string().describe("Your name at the cluster: its rights count."),
  source: z
    .object({ fresh: z.boolean(), reason: z.string().nullable() })
    .describe("Whether the recorded versions are up to date; the pods are read from the cluster itself."),
  maxLines: z.number().int().describe("The most lines that one answer has."),
});
export type RolloutLogs = z.infer<typeof RolloutLogs>;

const JobName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "is not the name of a Job")
  .optional()
  .describe("Also the pods of this Job, by which an analysis run of the rollout measured.");

export const RolloutLogsQuery = z.strictObject({ job: JobName });
export type RolloutLogsQuery = z.infer<typeof RolloutLogsQuery>;

const PodNames = z
  .string()
  .max(6000)
  .transform((text) => text.split(","))
  .pipe(
    z
      .array(z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, "is not the name of a pod"))
      .min(1)
      .max(maxLogPods),
  );
const Flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((word) => word === "true");

export const RolloutLogLinesQuery = z
  .strictObject({
    job: JobName,
    pods: PodNames.describe(`Names of its pods, with commas between them; at most ${maxLogPods}.`),
    container: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "is not the name of a container")
      .optional()
      .describe("Default: the first container of each pod."),
    follow: Flag.describe("Stay open, and send new lines as they are written."),
    previous: Flag.describe("The log of the instance before the last restart."),
    tailLines: z.coerce
      .number()
      .int()
      .min(0)
      .max(100_000)
      .optional()
      .describe("Begin with this many of the last lines of each pod. Default: 500 without sinceTime, else all."),
    sinceTime: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Leave out lines before; the cluster takes whole seconds."),
    untilTime: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("End with the last line before; Gatehouse cuts here."),
  })
  .refine(({ follow, previous }) => !(follow && previous), {
    path: ["follow"],
    message: "an instance that has ended cannot be followed",
  });
export type RolloutLogLinesQuery = z.infer<typeof RolloutLogLinesQuery>;

/** A line of JSON in the answer. Lines are in the order of each pod; those of several pods are mixed as they arrive. */
export const LogRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("line"),
    pod: z.string(),
    at: z.string().nullable().describe("RFC 3339 with nanoseconds, by the container runtime; null if it gave none."),
    text: z.string().describe("As the container wrote it: it may contain control characters."),
    droppedBytes: z.number().int().optional().describe("Length of the text cut from the end of a long line."),
  }),
  z.object({
    type: z.literal("problem"),
    pod: z.string(),
    text: z.string().describe("Why this pod's log could not be read, or ended early."),
  }),
  z.object({ type: z.literal("idle") }).describe("Nothing new; sent every few seconds."),
  z
    .object({
      type: z.literal("end"),
      reason: z.enum(["complete", "lines", "bytes", "time", "signed-out"]),
      text: z.string(),
    })
    .describe("Always the last record; an answer without it was cut."),
]);
export type LogRecord = z.infer<typeof LogRecord>;
export type LogLineRecord = Extract<LogRecord, { type: "line" }>;
