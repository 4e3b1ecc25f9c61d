// The distances of a changed network: bit-parallel levels over the sources that the change affects.
#pragma once

#include <memory>

#include "evaluator.hpp"

namespace topoctl::link_annealing {

std::unique_ptr<Evaluator> affected_evaluator();

}  // namespace topoctl::link_annealing
