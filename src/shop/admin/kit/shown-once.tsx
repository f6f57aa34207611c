import { Button } from '#src/ui/controls/button.tsx';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** What it is for, and that it is not shown again. */
  readonly text: string;
  readonly secret: string;
  /** For the accessible name of the button: 'key'. */
  readonly contentName: string;
  /** The visitor has stored it. */
  readonly onStored: () => void;
}

/** A new secret, which the server returns once. Nothing else closes the dialog. */
export function ShownOnce({ title, text, secret, contentName, onStored }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      isOpen
      onClose={null}
      actions={
        <>
          <CopyButton text={secret} contentName={contentName} label={`Copy ${contentName}`} />
          <Button variant="secondary" onClick={onStored}>
            I have stored it
          </Button>
        </>
      }
    >
      <p className="muted measure">{text}</p>
      <Notice>
        <code translate="no">{secret}</code>
      </Notice>
    </Dialog>
  );
}
