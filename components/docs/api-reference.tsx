import classes from "#components/docs/api-reference.module.css";
import { CodeExample } from "#components/docs/code-example.tsx";
import { withBasePath } from "#lib/client/base-path.ts";
import type { OperationText } from "#lib/contract/list-operations.ts";

type ApiReferenceProps = { groups: { tag: string; operations: OperationText[] }[] };

/** The reference of the API: every operation with its parameters, types, examples and problem codes. */
export function ApiReference({ groups }: ApiReferenceProps) {
  return (
    <div className={classes.page}>
      <nav aria-label="Groups" className={classes.groups}>
        <ul>
          {groups.map(({ tag }) => (
            <li key={tag}>
              <a href={`#${tag}`}>{tag}</a>
            </li>
          ))}
        </ul>
      </nav>
      <main className={classes.main}>
        <h1>API of Gatehouse</h1>
        <p>
          Send an API token as <code>Authorization: Bearer ght_…</code>. A token is made in{" "}
          <a href={withBasePath("/settings")}>Settings</a>. Times are ISO 8601 in UTC. Every failure is an RFC 9457
          problem with a <code>code</code> that does not change. The same as a machine reads it:{" "}
          <a href={withBasePath("/api/v1/openapi.json")}>OpenAPI 3.1</a>. The search of the browser finds closed
          operations too.
        </p>
        {groups.map(({ tag, operations }) => (
          <section key={tag} aria-labelledby={tag}>
            <h2 id={tag}>{tag}</h2>
            {operations.map((operation) => (
              <Operation key={operation.id} operation={operation} />
            ))}
          </section>
        ))}
      </main>
    </div>
  );
}

function Operation({ operation }: { operation: OperationText }) {
  const { id, method, path, summary, description, body, answer } = operation;
  return (
    <details className={classes.operation}>
      <summary>
        <span className={classes.method}>{method}</span> <span className={classes.path}>{path}</span>
        <span className={classes.words}>{summary}</span>
      </summary>
      {/* A link to what is inside of it opens it. */}
      <p id={id}>
        {description} Operation <a href={`#${id}`}>{id}</a>.
      </p>
      {operation.parameters.length > 0 && <Parameters operation={operation} />}
      {body !== undefined && (
        <>
          <h3>Body</h3>
          <CodeExample text={body.type} label={`Type of the body of ${id}`} />
          {body.example !== undefined && <CodeExample text={body.example} label={`Example body of ${id}`} />}
        </>
      )}
      <h3>
        Answer {answer.status}, {answer.contentTypes.join(" or ")}
      </h3>
      <CodeExample text={answer.type} label={`Type of the answer of ${id}`} />
      {answer.example !== undefined && <CodeExample text={answer.example} label={`Example answer of ${id}`} />}
      <h3>Problems</h3>
      <dl className={classes.problems}>
        {operation.problems.map(({ status, meanings }) => (
          <div key={status}>
            <dt>{status}</dt>
            {meanings.map((meaning) => (
              <dd key={meaning}>{meaning.replaceAll("`", "")}</dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}

function Parameters({ operation: { id, parameters } }: { operation: OperationText }) {
  return (
    <>
      <h3>Parameters</h3>
      <ul className={classes.parameters} aria-label={`Parameters of ${id}`}>
        {parameters.map(({ name, place, required, type, description }) => (
          <li key={`${place} ${name}`}>
            <code>{name}</code> in {place}
            {required ? ", required" : ""}: <code>{type}</code> {description}
          </li>
        ))}
      </ul>
    </>
  );
}
