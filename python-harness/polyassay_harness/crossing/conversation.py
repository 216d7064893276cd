"""The part of a conversation that worker and judge share: values into messages, and back."""

from typing import Any, Callable, Dict, List

from polyassay_harness.crossing.errors import Errors
from polyassay_harness.crossing.shared import Shared
from polyassay_harness.crossing.values import Decoder, Encoder

Message = Dict[str, Any]


class Talk:
    """One side of the talk about one test. Both sides pack and unpack in the same order."""

    def __init__(
        self,
        form_of: Callable[[Any], Any],
        handle_of: Callable[..., Any],
        *,
        subclasses: bool = True,
        asks: bool = False,
    ) -> None:
        self._form_of, self._handle_of = form_of, handle_of
        self._subclasses, self._asks = subclasses, asks
        self.shared = Shared()
        self.errors = Errors(form_of, handle_of)

    def pack(self, **values: Any) -> Message:
        """These values, and what became of those that the other side has already."""
        count, numbers = self.shared.next, self.shared.changed()
        encoder = Encoder(self._form_of, self.shared, subclasses=self._subclasses, asks=self._asks)
        message: Message = {"changed": []}
        try:
            for number in numbers:
                contents = encoder.contents(self.shared.value_of(number))
                message["changed"].append([number, contents])
            message.update((name, encoder.encode(value)) for name, value in values.items())
        except BaseException:
            self.shared.back_to(count)
            raise
        self.shared.agree(numbers, count)
        return message

    def unpack(self, message: Message, *names: str) -> List[Any]:
        """The values of these names; raises Malformed and its like for nonsense."""
        count, numbers = self.shared.next, []
        decoder = Decoder(self._handle_of, self.shared)
        for number, contents in message["changed"]:
            decoder.fill(self.shared.value_of(number), contents)
            numbers.append(number)
        values = [decoder.decode(message[name]) for name in names]
        self.shared.agree(numbers, count)
        return values
