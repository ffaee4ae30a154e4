import { HostileText } from "#components/ui/hostile-text.tsx";
import classes from "#components/ui/noted-texts.module.css";
import { cutText } from "#lib/util/text.ts";

type NotedTextsProps = {
  texts: Readonly<Record<string, string>>;
  /** Names the subject of the texts for screen readers. */
  label: string;
};

/** In characters: a longer text is folded, or one with several lines. */
const shortText = 160;

/** Shows texts that a metric's source or the controller noted, by name. */
export function NotedTexts({ texts, label }: NotedTextsProps) {
  const entries = Object.entries(texts);
  if (entries.length === 0) return null;
  return (
    <dl className={classes.texts} aria-label={label}>
      {entries.map(([name, text]) => (
        <div key={name}>
          <dt>
            <HostileText text={name} />
          </dt>
          <dd>
            <Noted text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Noted({ text }: { text: string }) {
  if (text.length <= shortText && !text.includes("\n")) return <HostileText text={text} />;
  return (
    <details>
      <summary>
        <HostileText text={cutText(text.replaceAll(/\s+/g, " "), shortText)} />
      </summary>
      <div className={classes.whole}>
        <HostileText text={text} />
      </div>
    </details>
  );
}
