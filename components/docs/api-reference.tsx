import classes from "#components/docs/api-reference.module.css";
import { CodeExample } from "#components/docs/code-example.tsx";
import { withBasePath } from "#lib/client/base-path.ts";
import type { OperationGroup, OperationText } from "#lib/contract/list-operations.ts";

type ApiIndexProps = { groups: OperationGroup[] };

/** The contents of the reference of the API: every operation, by group. */
export function ApiIndex({ groups }: ApiIndexProps) {
  return (
    <ApiFrame groups={groups}>
      <h1>API of Gatehouse</h1>
      <p>
        Send an API token as <code>Authorization: Bearer ght_…</code>. Make a token in{" "}
        <a href={withBasePath("/settings")}>Settings</a>. Times are ISO 8601 in UTC. Every failure is an RFC 9457
        problem with a <code>code</code> that does not change. For programs:{" "}
        <a href={withBasePath("/api/v1/openapi.json")}>OpenAPI 3.1</a>.
      </p>
      {groups.map(({ tag, operations }) => (
        <section key={tag} aria-labelledby={tag}>
          <h2 id={tag}>
            <a href={withBasePath(`/docs/api/${tag}`)}>{tag}</a>
          </h2>
          <ul className={classes.index}>
            {operations.map(({ id, method, path, summary }) => (
              <li key={id} id={id}>
                <span className={classes.method}>{method}</span>{" "}
                <a className={classes.path} href={withBasePath(`/docs/api/${tag}#${id}`)}>
                  {path}
                </a>
                <span className={classes.words}>{summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </ApiFrame>
  );
}

type ApiGroupProps = { groups: OperationGroup[]; tag: string; operations: OperationText[] };

/** The operations of a group with their parameters, types, examples and problem codes. */
export function ApiGroup({ groups, tag, operations }: ApiGroupProps) {
  return (
    <ApiFrame groups={groups} tag={tag}>
      <h1>API: {tag}</h1>
      {operations.map((operation) => (
        <Operation key={operation.id} operation={operation} />
      ))}
    </ApiFrame>
  );
}

type ApiFrameProps = { groups: OperationGroup[]; tag?: string; children: React.ReactNode };

function ApiFrame({ groups, tag, children }: ApiFrameProps) {
  return (
    <div className={classes.page}>
      <nav aria-label="Groups" className={classes.groups}>
        <ul>
          <li>
            <a href={withBasePath("/docs/api")} aria-current={tag === undefined ? "page" : undefined}>
              All operations
            </a>
          </li>
          {groups.map((group) => (
            <li key={group.tag}>
              <a href={withBasePath(`/docs/api/${group.tag}`)} aria-current={group.tag === tag ? "page" : undefined}>
                {group.tag}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className={classes.main}>{children}</main>
    </div>
  );
}

function Operation({ operation }: { operation: OperationText }) {
  const { id, method, path, summary, description, body, answer } = operation;
  return (
    <details className={classes.operation} data-printed>
      <summary>
        <span className={classes.method}>{method}</span> <span className={classes.path}>{path}</span>
        <span className={classes.words}>{summary}</span>
      </summary>
      {/* A link to an element inside a closed one opens it. */}
      <p id={id}>
        {description} Operation <a href={`#${id}`}>{id}</a>.
      </p>
      {operation.parameters.length > 0 && <Parameters operation={operation} />}
      {body !== undefined && (
        <>
          <h2>Body</h2>
          <CodeExample text={body.type} label={`Type of the body of ${id}`} />
          {body.example !== undefined && <CodeExample text={body.example} label={`Example body of ${id}`} />}
        </>
      )}
      <h2>
        Answer {answer.status}, {answer.contentTypes.join(" or ")}
      </h2>
      <CodeExample text={answer.type} label={`Type of the answer of ${id}`} />
      {answer.example !== undefined && <CodeExample text={answer.example} label={`Example answer of ${id}`} />}
      <h2>Problems</h2>
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
      <h2>Parameters</h2>
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
