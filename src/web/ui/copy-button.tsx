import { useEffect, useState } from 'react';
import { logFault } from '../log-fault.ts';
import { Button } from './button.tsx';
import type { ButtonVariant, ButtonWidth } from './button.tsx';
import { Icon } from './icons.tsx';
import { showToast } from './toast.tsx';

const SHOWN_MS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for those who cannot see it: 'address'. */
  readonly what: string;
  readonly variant?: ButtonVariant;
  readonly width?: ButtonWidth;
}

export function CopyButton({ text, what, variant = 'tertiary', width = 'auto' }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
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
    <Button variant={variant} width={width} aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} size={18} />
      {isCopied ? 'Copied' : 'Copy'}
    </Button>
  );
}
