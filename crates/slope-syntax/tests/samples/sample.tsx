import React from 'react';
interface P<T> { a?: T; f(x: number): void }
enum E { A = 1, B }
type U = P<string> | { b: (x: number) => void };
export const C: React.FC<P<string>> = ({ a, ...rest }) => {
  const cb = useCallback((e?: Event) => { if (a) b(e!); }, [a]);
  return <div onClick={() => { if (a) b(); }} {...rest}>{a && <b/>} text {xs.map(x => <i key={x}>{x ? 1 : 2}</i>)}</div>;
};
export default function <T,>(a: T) { return a as unknown as string; }
