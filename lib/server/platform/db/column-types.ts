// Types of the columns that PostgreSQL declares as text or jsonb. `schema.prisma` names them for both generators: in
// brackets for Prisma's client, by `@kyselyType` for Kysely.

import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { RolloutPod } from "#lib/contract/cluster-objects.ts";
import type { ExperimentSummary } from "#lib/contract/experiment.ts";
import type { Release, RolloutSummary } from "#lib/contract/rollout.ts";
import type { Source } from "#lib/contract/system.ts";
import type { TemplateSummary } from "#lib/contract/template.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { ReleaseWait } from "#lib/domain/insights/release-times.ts";
import type { GonePresence } from "#lib/domain/kube/watched-kind.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import type { Message } from "#lib/domain/notify/compose-messages.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import type { Evidence } from "#lib/domain/oversight/rule.ts";

type Attention = NonNullable<RolloutSummary["attention"]>;

declare global {
  namespace Column {
    type ActionState = import("#lib/contract/action.ts").ActionState;
    type AttentionReason = Attention["reason"];
    type AttentionSeverity = Attention["severity"];
    /** How a message is sent. */
    type ChannelType =
      | "slack"
      | "webhook"
      | "email"
      | "pagerduty"
      | "alertmanager"
      | "teams"
      | "deployments"
      | "cdevents";
    /** Whether the person behind a change was found; `unknown`: not found, and no longer sought. */
    type AttributionState = "open" | "named" | "ambiguous" | "unknown";
    type DeploymentStatus = NonNullable<NotifiableEvent["deployment"]>["status"];
    /** `redeemed`: approved, and the terminal has its token. */
    type DeviceState = "pending" | "approved" | "refused" | "redeemed";
    type Claims = Record<string, unknown>;
    type Expectation = import("#lib/contract/action.ts").Expectation;
    type ExperimentPresence = ExperimentSummary["presence"];
    /** Uid -> the presence that the object gets once its disappearance is believed. */
    type HeldObjects = Record<string, GonePresence>;
    type EvidenceList = Evidence[];
    type FindingSeverity = import("#lib/domain/oversight/rule.ts").FindingSeverity;
    type GateBinding = import("#lib/domain/delivery/gate-decision.ts").GateBinding;
    type GateName = import("#lib/domain/delivery/gate-decision.ts").GateName;
    type GateVerdict = import("#lib/domain/delivery/gate-decision.ts").GateVerdict;
    type RuleSubject = import("#lib/domain/oversight/rule.ts").RuleSubject;
    type HoldOutcome = "placed" | "refused";
    type HookPurpose = import("#lib/contract/hook.ts").HookPurpose;
    type HoldReason = "empty" | "shrink";
    type Images = RolloutSummary["images"];
    /** The kind of a measurement's value. */
    type KindCode = "n" | "a" | "N" | "+" | "-" | "o" | "s" | "e" | "u";
    /** How a controller's message reached us. */
    type MessageSource = "webhook" | "kubernetes";
    type Labels = Record<string, string>;
    type MeasuringKind = ActionSubject["kind"];
    type MessageShape = Message["shape"];
    type Matter = NonNullable<NotifiableEvent["matter"]>;
    type NotifiableKind = NotifiableEvent["kind"];
    type NotificationState = "queued" | "sending" | "sent" | "failed" | "suppressed";
    type Numbers = number[];
    type ObjectPresence = RolloutPod["presence"];
    /** The phase of a measurement: a letter, or a question mark and a word that is no phase. */
    type PhaseCode = "P" | "R" | "S" | "F" | "E" | "I" | `?${string}`;
    type Presence = RolloutSummary["presence"];
    /** Of a message in Slack: its channel and time, which name it there. */
    type Receipt = { channel: string; ts: string };
    type ReleaseState = Release["state"];
    type Role = import("#lib/contract/common.ts").Role;
    type RolloutKind = RolloutSummary["kind"];
    type RolloutPhase = RolloutSummary["phase"];
    type Texts = Record<string, string>;
    type RunPresence = AnalysisRunSummary["presence"];
    type RunType = AnalysisRunSummary["type"];
    type SavedList = import("#lib/contract/saved-view.ts").SavedList;
    type ScheduledState = import("#lib/contract/scheduled-action.ts").ScheduledState;
    /** Of who scheduled an action: the session, with its groups and claims, or the token. Empty once it has ended. */
    type ScheduledIdentity = {
      groups: readonly string[];
      claims: Claims;
      token: string | null;
      session?: string | null;
    };
    /** Why no action is allowed at a source: it may reach another cluster now. */
    type SourceErrorCode = "other-cluster" | "versions-backwards";
    type ScrapeState = import("#lib/domain/controllers/scrape-state.ts").ScrapeState;
    type SourceState = Source["state"];
    type Strategy = RolloutSummary["strategy"];
    type TemplateKind = TemplateSummary["kind"];
    type TextList = string[];
    /** How a release waited: for a person, or because a person had paused it in its spec. */
    type WaitActivity = ReleaseWait["activity"];
    /** See the model. */
    type WaitMarkKind = "claim" | "snooze" | "acknowledgement";
    type WorkloadConditions = WorkloadState["conditions"];
    type WorkloadKind = WorkloadState["kind"];
  }
}
