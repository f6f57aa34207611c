import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Row } from './row.ts';
import styles from './section.module.css';
import { Stack } from './stack.ts';
import type { Space, Surface } from './box.ts';

interface SectionProps extends Omit<ComponentProps<'section'>, 'title'> {
  readonly title: ReactNode;
  /** Of the heading; default: 2. */
  readonly level?: 2 | 3 | 4;
  /** Of the heading; default: that of its level. */
  readonly size?: 16 | 18 | 24;
  /** Beside the heading. */
  readonly actions?: ReactNode;
  /** Between the heading and each child; default: 16. */
  readonly gap?: Space;
  readonly surface?: Surface;
}

/** A titled part of a page, which the title names for screen readers. */
export function Section({ title, level = 2, size, actions, id, children, ...rest }: SectionProps) {
  const ownId = useId();
  const titleId = `${id ?? ownId}-title`;
  const Heading = `h${level}` as const;
  const heading = (
    <Heading id={titleId} className={styles.title} data-size={size}>
      {title}
    </Heading>
  );
  return (
    <Stack as="section" {...rest} id={id} aria-labelledby={titleId}>
      {actions === undefined ? (
        heading
      ) : (
        <Row justify="between" gap={16} rowGap={4}>
          {heading}
          {actions}
        </Row>
      )}
      {children}
    </Stack>
  );
}
