import { Button } from './button.tsx';
import type { ButtonVariant, ButtonWidth } from './button.tsx';
import { Icon } from './icons.tsx';
import { useCopy } from './use-copy.ts';

interface CopyButtonProps {
  /** Null: it is not known yet. */
  readonly text: string | null;
  /** What is copied, for those who cannot see it: 'address'. */
  readonly contentName: string;
  /** What stands on the button, where 'Copy' alone says too little. */
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
      {isCopied ? 'Copied' : label}
    </Button>
  );
}
