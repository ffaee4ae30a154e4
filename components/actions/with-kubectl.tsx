import classes from "#components/actions/actions.module.css";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/** Shows the equivalent commands while Gatehouse does not answer, for what was possible at its last answer. */
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
