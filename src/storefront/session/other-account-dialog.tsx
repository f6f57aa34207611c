import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';

let root: Root | null = null;

/** Shows or hides the dialog. It has a root of its own, since any page may need it. */
export function showOtherAccountDialog(isOpen: boolean): void {
  root ??= createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<OtherAccountDialog isOpen={isOpen} />);
}

/** The page stays below, so that its account finds it again. */
function OtherAccountDialog({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <Dialog
      title="You logged in with another account"
      isOpen={isOpen}
      onClose={null}
      actions={<Button onClick={() => location.reload()}>Reload page</Button>}
    >
      <p>
        This page belongs to the account that you used before. Reload it to continue with the new account. To keep
        unsaved changes, log in with the first account in another tab, then return to this page.
      </p>
    </Dialog>
  );
}
