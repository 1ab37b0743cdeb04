// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./IPriced.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// What has a price.
interface Priced {
    function price(uint256 id) external view returns (uint256);
}

library Rates {
    /// Applies a rate of hundredths.
    function apply_(uint256 amount, uint256 rate) internal pure returns (uint256) {
        return amount * rate / 100;
    }
}

/*
contract Commented {
    function none() public {}
}
*/

/// Sells things {and keeps books.
contract Shop is Priced, Ownable {
    using Rates for uint256;

    struct Order {
        address buyer;
        uint256 amount;
    }

    enum State { Open, Paid }

    event Sold(address indexed buyer, uint256 amount);
    error TooLittle(uint256 sent);

    mapping(uint256 => Order) public orders;
    uint256 public constant RATE = 119;
    string private note = "function quoted() { ";

    modifier onlyOpen() {
        require(RATE > 0, "closed }");
        _;
    }

    constructor() Ownable(msg.sender) {}

    /// Sells one.
    function buy(uint256 id)
        external
        payable
        onlyOpen
    {
        if (msg.value < price(id)) {
            revert TooLittle(msg.value);
        }
        orders[id] = Order(msg.sender, msg.value);
        emit Sold(msg.sender, msg.value.apply_(RATE));
    }

    function price(uint256) public pure override returns (uint256) {
        return 1 ether;
    }

    receive() external payable {}
}

function twice(uint256 x) pure returns (uint256) {
    return 2 * x;
}
