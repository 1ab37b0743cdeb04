import React, { useState } from "react";

type Props = { title: string; onClose(): void };

// A window with a title.
export function Panel({ title, onClose }: Props) {
  const [open, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
    onClose();
  };
  return (
    <section hidden={!open}>
      <Header title={title} onClick={close} />
      {render(title)}
    </section>
  );
}

export const Button: React.FC<Props> = ({ title }) => <button>{title}</button>;

export const Memo = React.memo(function Memo(props: Props) {
  return <Panel {...props} />;
});
