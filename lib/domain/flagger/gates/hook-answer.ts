/** Why a call is answered as it is: stored with the call and shown to people. */
export type HookReason =
  | "abort_is_for_another_run"
  | "abort_requested"
  | "approval_expired"
  | "approved"
  | "bad_credential"
  | "bad_payload"
  | "canary_recreated"
  | "checksum_mismatch"
  | "cluster_unreachable"
  | "cluster_view_stale"
  | "config_error"
  | "frozen"
  | "method_not_allowed"
  | "new"
  | "no_abort_requested"
  | "no_checksum"
  | "not_approved"
  | "object_unreadable"
  | "observe_only"
  | "out_of_scope"
  | "payload_too_large"
  | "rate_limited"
  | "rejected"
  | "revision_changed_since_approval"
  | "rollback_requested"
  | "run_closed_failed"
  | "run_closed_succeeded"
  | "run_not_in_progress"
  | "same_name_message_timestamp"
  | "source_clock_ahead"
  | "source_clock_behind"
  | "step_not_approved"
  | "store_unavailable"
  | "timeout"
  | "unknown_canary"
  | "unknown_cluster"
  | "unknown_phase"
  | "unknown_phase_kept_verbatim";

/** `deny` and `no_rollback` refuse; `recorded` and `duplicate` take note, and advance nothing. */
export type HookWord = "allow" | "rollback" | "deny" | "no_rollback" | "recorded" | "duplicate";

export type HookAnswer = {
  /** Flagger passes on anything up to 202. */
  httpStatus: 200 | 202 | 400 | 401 | 403 | 405 | 413;
  decision: HookWord;
  reason: HookReason;
  /** The decision that it follows from; absent if none was looked at. */
  decisionId?: string | undefined;
};
