// Types of the columns that PostgreSQL declares as text or jsonb. `schema.prisma` names them by `@kyselyType`.

import type { ActionState } from "#lib/contract/action.ts";
import type { AnalysisRunSummary, ParsedValue } from "#lib/contract/analysis-run.ts";
import type { RolloutPod } from "#lib/contract/cluster-objects.ts";
import type { ExperimentSummary } from "#lib/contract/experiment.ts";
import type { Release, RolloutSummary } from "#lib/contract/rollout.ts";
import type { Source } from "#lib/contract/system.ts";
import type { TemplateSummary } from "#lib/contract/template.ts";
import type { ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { GateBinding, GateName, GateVerdict } from "#lib/domain/delivery/gate-decision.ts";
import type { ReleaseWait } from "#lib/domain/insights/derive-waits.ts";
import type { GonePresence } from "#lib/domain/kube/watched-kind.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-state.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import type { Evidence, FindingSeverity, RuleSubject } from "#lib/domain/oversight/rule.ts";

type Attention = NonNullable<RolloutSummary["attention"]>;

export type { ActionState };
export type AttentionReason = Attention["reason"];
export type AttentionSeverity = Attention["severity"];
/** How a message is sent. */
export type ChannelType = "slack" | "webhook" | "email";
/** Whether the person behind a change was found; `unknown`: not found, and no longer sought. */
export type AttributionState = "open" | "named" | "ambiguous" | "unknown";
/** `redeemed`: approved, and the terminal has its token. */
export type DeviceState = "pending" | "approved" | "refused" | "redeemed";
export type Claims = Record<string, unknown>;
export type ExperimentPresence = ExperimentSummary["presence"];
/** Uid -> the presence that the object gets once its disappearance is believed. */
export type HeldObjects = Record<string, GonePresence>;
export type EvidenceList = Evidence[];
export type { FindingSeverity, GateBinding, GateName, GateVerdict, RuleSubject };
export type HoldOutcome = "placed" | "refused";
export type { HookPurpose } from "#lib/contract/hook.ts";
export type HoldReason = "empty" | "shrink";
export type Images = RolloutSummary["images"];
/** How a controller's message reached us. */
export type MessageSource = "webhook" | "kubernetes";
export type MeasuringKind = ActionSubject["kind"];
/** The content of a message: one event, several of one rollout, several of many, or a test. */
export type MessageShape = "single" | "group" | "digest" | "test";
export type NotifiableKind = NotifiableEvent["kind"];
export type NotificationState = "queued" | "sending" | "sent" | "failed" | "suppressed";
export type Numbers = number[];
export type ObjectPresence = RolloutPod["presence"];
export type ParsedKind = ParsedValue["kind"];
export type Presence = RolloutSummary["presence"];
export type ReleaseState = Release["state"];
export type { Role } from "#lib/contract/common.ts";
export type RolloutKind = RolloutSummary["kind"];
export type RolloutPhase = RolloutSummary["phase"];
export type Texts = Record<string, string>;
export type RunPresence = AnalysisRunSummary["presence"];
export type RunType = AnalysisRunSummary["type"];
export type { SavedList } from "#lib/contract/saved-view.ts";
/** Why no action is allowed at a source: it may reach another cluster now. */
export type SourceErrorCode = "other-cluster" | "versions-backwards";
export type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
export type SourceState = Source["state"];
export type Strategy = RolloutSummary["strategy"];
export type TemplateKind = TemplateSummary["kind"];
export type TextList = string[];
/** How a release waited: for a person, or because a person had paused it in its spec. */
export type WaitActivity = ReleaseWait["activity"];
export type WorkloadConditions = WorkloadState["conditions"];
export type WorkloadKind = WorkloadState["kind"];
