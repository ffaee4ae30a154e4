import { Button, type ButtonProps, CopyButton } from "@mantine/core";

/** A button that copies a text, and says so for four seconds. */
export function CopyText({ text, label = "Copy", ...button }: { text: string; label?: string } & ButtonProps) {
  return (
    <CopyButton value={text} timeout={4000}>
      {({ copied, copy }) => (
        <Button variant="default" {...button} onClick={copy} aria-live="polite">
          {copied ? "Copied" : label}
        </Button>
      )}
    </CopyButton>
  );
}
