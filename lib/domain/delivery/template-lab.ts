/** A place in a text: both count from 1. */
export type TextPosition = { readonly line: number; readonly column: number };

export type TemplateProblem = {
  /** `warning`: the controller accepts it, but hardly as it is meant. */
  readonly severity: "error" | "warning";
  readonly text: string;
  readonly from: TextPosition;
  /** After the last character. */
  readonly to: TextPosition;
};

/** A template as it was written; undefined spec if the text cannot be read as one. */
export type WrittenTemplate = {
  readonly kind: string;
  /** Empty if the text has none. */
  readonly name: string;
  readonly spec: unknown;
};

export type LintedTemplate = {
  readonly problems: readonly TemplateProblem[];
  readonly template: WrittenTemplate | undefined;
};

/** A run that a rollout would create from its analysis: its rules, or the controller's reason for refusing. */
export type PreviewedRun = {
  /** Where the rollout names the template, such as `step 3`. */
  readonly where: string;
  readonly spec: unknown;
  readonly error: string | undefined;
};

export type PreviewInput = {
  /** The rollout as stored. */
  readonly rollout: unknown;
  readonly edited: WrittenTemplate;
  /** The other templates that the rollout can use, as stored. */
  readonly templates: readonly { readonly kind: string; readonly name: string; readonly spec: unknown }[];
};

/** What the template lab needs. Texts are untrusted input: none of these functions is called on a main thread. */
export type TemplateLabProvider = {
  /** Finds what the controller would refuse in a template, and what is probably a mistake. Never throws. */
  lintTemplate(source: string): LintedTemplate;
  /** Lists the runs that a rollout would create with an edited template. */
  previewRuns(input: PreviewInput): PreviewedRun[];
};
