import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './button.module.css';
import { classNames } from '../styles/class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'tertiary' | 'quaternary';
/** Width: the container's, the text's, or a standard width. */
export type ButtonWidth = 'full' | 'auto' | 'max';

interface Appearance {
  readonly variant?: ButtonVariant;
  readonly width?: ButtonWidth;
  readonly children: ReactNode;
}

const getClassName = (
  { variant = 'primary', width = 'auto' }: Omit<Appearance, 'children'>,
  className?: string,
): string => classNames(styles.button, styles[variant], styles[width], className);

interface ButtonProps extends Appearance, Omit<ComponentProps<'button'>, keyof Appearance> {
  /** In progress: the button is disabled and announces it. */
  readonly isBusy?: boolean;
}

export function Button({ variant, width, isBusy = false, className, type = 'button', disabled, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- it has one, by default 'button'
      type={type}
      className={getClassName({ ...(variant && { variant }), ...(width && { width }) }, className)}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
    />
  );
}

interface ButtonLinkProps extends Appearance, Omit<ComponentProps<typeof Link>, keyof Appearance> {}

/** A link styled as a button. */
export function ButtonLink({ variant, width, className, ...rest }: ButtonLinkProps) {
  return (
    <Link
      prefetch="intent"
      {...rest}
      className={getClassName({ ...(variant && { variant }), ...(width && { width }) }, className)}
    />
  );
}
