import { Title } from "@mantine/core";

type SectionProps = {
  id: string;
  title: React.ReactNode;
  className?: string | undefined;
  /** Space below the title. */
  mb?: "xs" | number;
  children: React.ReactNode;
};

/** Renders a part of a page under a heading that names it. */
export function Section({ id, title, className, mb = "xs", children }: SectionProps) {
  return (
    <section className={className} aria-labelledby={id}>
      <Title order={2} id={id} mb={mb}>
        {title}
      </Title>
      {children}
    </section>
  );
}
