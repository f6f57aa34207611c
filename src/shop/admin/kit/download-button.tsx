import { useState } from 'react';
import { isRefusal } from '#src/storefront/api.ts';
import { Button } from '#src/ui/button.tsx';
import { logError } from '#src/ui/log-error.ts';
import { Stack } from '#src/ui/stack.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

interface DownloadButtonProps {
  /** Below `/api`. The file has the name that the shop gives it. */
  readonly path: string;
  readonly text: string;
}

/** Downloads a file of the back office. */
export function DownloadButton({ path, text }: DownloadButtonProps) {
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const download = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      const { downloadFile } = await import('#src/storefront/download-file.ts');
      await downloadFile(path);
    } catch (error) {
      if (!isRefusal(error)) logError('a file could not be downloaded', error);
      setFailure(describeFailure(error));
    }
    setIsBusy(false);
  };
  return (
    <Stack gap={8}>
      <Button variant="secondary" onClick={() => void download()} disabled={!isHydrated} isBusy={isBusy}>
        {text}
      </Button>
      {failure !== null && (
        <p role="alert" className="danger">
          {failure}
        </p>
      )}
    </Stack>
  );
}
