// A worker thread of the evaluation pool. It has no environment, no database and no network of ours: it gets values and
// gives values, and may be killed at any moment.
import { evaluationTasks } from "./evaluation-tasks.ts";
import { serveTasks } from "./serve-tasks.ts";

serveTasks(evaluationTasks);
