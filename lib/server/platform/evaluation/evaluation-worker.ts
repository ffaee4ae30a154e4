// A worker thread of the evaluation pool. It has no access to our environment, database or network. It receives and returns
// values, and may be killed at any moment.
import { evaluationTasks } from "./evaluation-tasks.ts";
import { serveTasks } from "./serve-tasks.ts";

serveTasks(evaluationTasks);
