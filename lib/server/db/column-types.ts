// What the columns hold whose type PostgreSQL calls text or jsonb. `schema.prisma` names them by `@kyselyType`.
import type { RolloutSummary } from "#lib/contract/rollout.ts";

type Attention = NonNullable<RolloutSummary["attention"]>;

export type AttentionReason = Attention["reason"];
export type AttentionSeverity = Attention["severity"];
export type Images = RolloutSummary["images"];
export type Presence = RolloutSummary["presence"];
export type RolloutKind = RolloutSummary["kind"];
export type RolloutPhase = RolloutSummary["phase"];
export type Strategy = RolloutSummary["strategy"];
