import { Button } from '../controls/button.tsx';
import type { ButtonVariant, ButtonWidth } from '../controls/button.tsx';
import { Icon } from '../graphics/icons.tsx';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  /** Null while it is unknown. */
  readonly text: string | null;
  /** For the accessible name: 'address'. */
  readonly contentName: string;
  /** Label of the button, if 'Copy' is not clear enough. */
  readonly label?: string;
  readonly variant?: ButtonVariant;
  readonly width?: ButtonWidth;
}

export function CopyButton({
  text,
  contentName,
  label = 'Copy',
  variant = 'tertiary',
  width = 'auto',
}: CopyButtonProps) {
  const { isCopied, copy } = useCopy(text);
  return (
    <Button variant={variant} width={width} aria-label={`Copy ${contentName}`} disabled={text === null} onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} size={18} />
      <span>{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
