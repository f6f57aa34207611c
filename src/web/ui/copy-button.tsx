import { useEffect, useState } from 'react';
import { logFault } from '../log-fault.ts';
import { Button } from './button.tsx';
import type { ButtonVariant, ButtonWidth } from './button.tsx';
import { Icon } from './icons.tsx';
import { showToast } from './show-toast.ts';

const SHOWN_MS = 2000;

interface CopyButtonProps {
  /** Null: it is not known yet. */
  readonly text: string | null;
  /** What is copied, for those who cannot see it: 'address'. */
  readonly what: string;
  /** What stands on the button, where 'Copy' alone says too little. */
  readonly label?: string;
  readonly variant?: ButtonVariant;
  readonly width?: ButtonWidth;
}

export function CopyButton({ text, what, label = 'Copy', variant = 'tertiary', width = 'auto' }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    if (text === null) return;
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
      showToast('success', 'Copied to clipboard!');
    } catch (error) {
      logFault('nothing was copied', error);
      showToast('error', 'Failed to copy');
    }
  };
  return (
    <Button
      variant={variant}
      width={width}
      aria-label={`Copy ${what}`}
      disabled={text === null}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={18} />
      {isCopied ? 'Copied' : label}
    </Button>
  );
}
