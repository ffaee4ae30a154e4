"use client";

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useMantineStyleNonce } from "@mantine/core";
import { useEffect, useImperativeHandle, useRef } from "react";
import classes from "#components/templates/lab.module.css";
import type { TemplateProblem } from "#lib/contract/analysis-engine.ts";

export type YamlEditorHandle = { goTo(position: TemplateProblem["from"]): void };

type YamlEditorProps = {
  /** Only the first value counts; another `key` starts another text. */
  initial: string;
  label: string;
  problems: readonly TemplateProblem[];
  onChange: (text: string) => void;
  ref?: React.Ref<YamlEditorHandle>;
};

/** Edits YAML, with problems marked in place. Tab leaves the editor, as everywhere else. */
export function YamlEditor({ initial, label, problems, onChange, ref }: YamlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const nonce = useMantineStyleNonce()?.();
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  }, [onChange]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor owns its text from then on.
  useEffect(() => {
    if (place.current === null) return;
    const created = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: initial,
        extensions: [
          ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
          lineNumbers(),
          lintGutter(),
          history(),
          highlightActiveLine(),
          yaml(),
          syntaxHighlighting(colours),
          appearance,
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) report.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = created;
    return () => {
      created.destroy();
      view.current = undefined;
    };
  }, []);

  useEffect(() => {
    const { current } = view;
    if (current === undefined) return;
    const { doc } = current.state;
    current.dispatch(
      setDiagnostics(
        current.state,
        problems.map((problem) => toDiagnostic(doc, problem)),
      ),
    );
  }, [problems]);

  useImperativeHandle(ref, () => ({
    goTo(position) {
      const { current } = view;
      if (current === undefined) return;
      const anchor = offsetOf(current.state.doc, position);
      current.dispatch({ selection: { anchor }, scrollIntoView: true });
      current.focus();
    },
  }));

  return <div ref={place} className={classes.editor} />;
}

function toDiagnostic(doc: Text, { severity, text, from, to }: TemplateProblem): Diagnostic {
  const start = offsetOf(doc, from);
  return { severity, message: text, from: start, to: Math.max(start, offsetOf(doc, to)) };
}

/** The text may have become shorter since it was linted. */
function offsetOf(doc: Text, { line, column }: TemplateProblem["from"]): number {
  const found = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(found.from + column - 1, found.to);
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--gh-blue-text)" },
  { tag: [tags.string, tags.content], color: "var(--mantine-color-text)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--mantine-color-dimmed)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool, tags.number, tags.null], color: "var(--gh-violet-text)" },
  { tag: tags.punctuation, color: "var(--mantine-color-dimmed)" },
]);

const appearance = EditorView.theme({
  "&": {
    fontSize: "var(--mantine-font-size-xs)",
    backgroundColor: "var(--gh-surface)",
    color: "var(--mantine-color-text)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--mantine-font-family-monospace)", caretColor: "var(--mantine-color-text)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  ".cm-gutters": {
    backgroundColor: "var(--gh-surface)",
    color: "var(--mantine-color-dimmed)",
    borderRight: "1px solid var(--gh-border)",
  },
  ".cm-activeLine": { backgroundColor: "var(--gh-row-hover)" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--mantine-primary-color-light)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--gh-surface)",
    border: "1px solid var(--gh-border)",
    color: "var(--mantine-color-text)",
  },
  ".cm-scroller": { overflow: "auto" },
});
