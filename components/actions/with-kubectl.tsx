import classes from "#components/actions/actions.module.css";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/** Shows the equivalent commands while Gatehouse does not answer, for the actions allowed at its last answer. */
export function WithKubectl({ actions, isOpen }: { actions: readonly AllowedAction[]; isOpen: boolean }) {
  const commands = actions.filter(({ allowed, kubectl }) => allowed && kubectl !== undefined);
  if (commands.length === 0) return null;
  return (
    <details open={isOpen} className={classes.kubectl}>
      <summary>Without Gatehouse, based on its last answer</summary>
      {commands.some(({ protective }) => !protective) && (
        <p>
          These commands match what this page shows. Check the rollout first: if it has moved on, a command that
          continues or skips sets it back.
        </p>
      )}
      <dl>
        {commands.map(({ action, label, kubectl }) => (
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
