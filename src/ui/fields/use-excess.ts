import { useEffect, useRef, useState } from 'react';
import type { InputEventHandler, Ref } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement;

interface Values<Element extends Control> {
  readonly value?: string | number | readonly string[] | undefined;
  readonly defaultValue?: string | number | readonly string[] | undefined;
  readonly onInput?: InputEventHandler<Element> | undefined;
  readonly ref?: Ref<Element> | undefined;
}

interface Excess<Element extends Control> {
  /** Message of a value that is too long; null if it is not. */
  readonly excess: string | null;
  /** Attributes of the control. */
  readonly watch: { readonly ref?: (control: Element | null) => void; readonly onInput?: InputEventHandler<Element> };
}

function assign<Element>(target: Ref<Element> | undefined, element: Element | null): void {
  if (typeof target === 'function') target(element);
  else if (target) Object.assign(target, { current: element });
}

/**
 * Says when a field contains more than fits, instead of the attribute `maxlength`, which drops typed keys and the rest of
 * pasted text. Such a form cannot be sent.
 */
export function useExcess<Element extends Control>(
  maximum: number | undefined,
  { value, defaultValue, onInput, ref }: Values<Element>,
): Excess<Element> {
  const control = useRef<Element>(null);
  const [typed, setTyped] = useState(String(defaultValue ?? '').length);
  const length = value === undefined ? typed : String(value).length;
  const excess =
    maximum !== undefined && length > maximum ? `Maximum ${maximum} characters. Remove ${length - maximum}.` : null;
  useEffect(() => {
    control.current?.setCustomValidity(excess ?? '');
  }, [excess]);
  if (maximum === undefined) return { excess, watch: {} };
  return {
    excess,
    watch: {
      ref: (element) => {
        control.current = element;
        assign(ref, element);
      },
      onInput: (event) => {
        setTyped(event.currentTarget.value.length);
        onInput?.(event);
      },
    },
  };
}
