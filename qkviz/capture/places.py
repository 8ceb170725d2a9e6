"""Where in a model a run is just now, and what came into the layer it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn


@dataclass(frozen=True, eq=False, slots=True)
class _Entered:
    module: nn.Module
    hidden: Tensor | None  # (b, m, d_model) of a layer; None of an attention module


class ModuleMap:
    """The modules of a model: their names, and which of them are followed.

    A layer is what stands in a list of modules; followed are the layers and what is called attention.
    """

    def __init__(self, model: nn.Module) -> None:
        self.names: dict[nn.Module, str] = {module: name for name, module in model.named_modules()}
        self.layers = frozenset(
            child for module in self.names if isinstance(module, nn.ModuleList) for child in module
        )
        self.followed = tuple(
            module for module in self.names if module in self.layers or "Attention" in type(module).__name__
        )


class Places:
    """Follows one run of a model through its layers, by hooks; the innermost layer is the one it is in.

    Parameters
    ----------
    modules
        Those of the model that will run.
    tick
        Called before every layer; it may raise, which ends the run.
    """

    def __init__(self, modules: ModuleMap, tick: Callable[[], None]) -> None:
        self._modules = modules
        self._entered: list[_Entered] = []
        self._tick = tick
        self._was_stopped = False

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow what runs inside."""
        hooks = []
        try:
            for module in self._modules.followed:
                hooks.append(module.register_forward_pre_hook(self._enter, with_kwargs=True))
                hooks.append(module.register_forward_hook(self._leave, always_call=True))
            yield
        finally:
            for hook in hooks:
                hook.remove()
            self._entered.clear()

    def has_been_stopped(self) -> bool:
        """Whether ``tick`` raised."""
        return self._was_stopped

    def name_of(self, module: nn.Module) -> str:
        """Return the name of a module of the model; empty for a stranger."""
        return self._modules.names.get(module, "")

    def here(self) -> str:
        """Return the name of the innermost layer or attention module that is running; empty: none is."""
        return self.name_of(self._entered[-1].module) if self._entered else ""

    def entering(self, texts: int, tokens: int) -> Tensor | None:
        """Return what came into the innermost layer, (texts, tokens, d_model); None: nothing like it."""
        for entered in reversed(self._entered):
            if entered.hidden is not None:
                hidden = entered.hidden
                if hidden.shape[:2] == (texts, tokens):
                    return hidden
                if hidden.shape[:2] == (tokens, texts):  # XLNet puts the tokens first
                    return hidden.transpose(0, 1)
                return None
        return None

    def _enter(self, module: nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        hidden = None
        if module in self._modules.layers:
            self._tell()
            given = arguments[0] if arguments else named.get("hidden_states")
            if isinstance(given, Tensor) and given.ndim == 3 and given.is_floating_point():
                hidden = given
        self._entered.append(_Entered(module, hidden))

    def _tell(self) -> None:
        try:
            self._tick()
        except BaseException:
            self._was_stopped = True
            raise

    def _leave(self, module: nn.Module, _arguments: tuple[Any, ...], _output: object) -> None:
        # a run that was broken off inside leaves no trace either: those within are dropped with it
        while self._entered and self._entered.pop().module is not module:
            pass
