import classes from "#components/actions/actions.module.css";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/** While Gatehouse gives no answers: the commands that do the same without it, for what was possible at the last one. */
export function WithKubectl({ actions, isOpen }: { actions: readonly AllowedAction[]; isOpen: boolean }) {
  const told = actions.filter(({ allowed, kubectl }) => allowed && kubectl !== undefined);
  if (told.length === 0) return null;
  return (
    <details open={isOpen} className={classes.kubectl}>
      <summary>Without Gatehouse, by its last answer</summary>
      {told.some(({ protective }) => !protective) && (
        <p>
          They fit what this page shows. Look at the rollout first: where it has gone on since, what continues or skips
          here would set it back.
        </p>
      )}
      <dl>
        {told.map(({ action, label, kubectl }) => (
          <div key={action}>
            <dt>{label}</dt>
            <dd>
              <code className={classes.code}>{kubectl}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
