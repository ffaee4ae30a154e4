import type { TemplateLabProvider } from "#lib/domain/delivery/template-lab.ts";
import { lintTemplate } from "./lab/lint-template.ts";
import { previewRuns } from "./lab/preview-runs.ts";

export const argoTemplateLab: TemplateLabProvider = { lintTemplate, previewRuns };
